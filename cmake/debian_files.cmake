# CPack runs this on the installed files before it makes the Debian package: what Debian's policy asks for.
cmake_minimum_required(VERSION 3.22)
get_filename_component(source ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
set(documents ${share}/doc/mpsbench)

file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
configure_file(${source}/LICENSE ${documents}/copyright COPYONLY)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(
  WRITE ${documents}/changelog
  "mpsbench (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Release ${CPACK_PACKAGE_VERSION}. CHANGELOG.md of the sources has the changes.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
execute_process(COMMAND gzip -9n ${documents}/changelog ${share}/man/man1/mpsbench.1 COMMAND_ERROR_IS_FATAL ANY)
file(
  CHMOD_RECURSE ${documents} ${share}/man
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ
  DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
