"""What the scripts share: reference networks, calls of mpsbench, report files, chart parts."""
