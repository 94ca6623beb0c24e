/** Folders of the system's own programs. The last one is for NixOS. */
export const systemPath = '/usr/bin:/bin:/run/current-system/sw/bin'
