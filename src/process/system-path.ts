/** Where the system's own programs are; the last is where NixOS has them. */
export const systemPath = '/usr/bin:/bin:/run/current-system/sw/bin'
