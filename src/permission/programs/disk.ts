/** A disk, or a part of one. */
export const disk: RegExp = /^\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|dm-|mapper\/|r?disk)/

export const overwrites = 'it writes over a disk'
