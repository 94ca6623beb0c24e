/** A disk or a partition. */
export const disk: RegExp = /^\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|dm-|mapper\/|r?disk)/

export const overwrites = 'it writes over a disk'
