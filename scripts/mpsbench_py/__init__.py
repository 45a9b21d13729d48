"""What the scripts have in common: reference networks, calls of mpsbench, report files, parts of charts."""
