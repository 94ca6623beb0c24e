/** Maximum bytes of one image or document: the limit of the strictest vendor. */
export const maxMediaBytes = 4.5 * 1024 * 1024

/** Maximum bytes of an attached text. The model reads larger files of the disk with the read tool. */
export const maxTextBytes = 256 * 1024
