# Called by cpack before it makes packages: libgdsim-dev has no models of its own.
file(REMOVE_RECURSE ${CPACK_TEMPORARY_DIRECTORY}/core/usr/share/gdsim)
