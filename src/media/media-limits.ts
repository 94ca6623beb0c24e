/** Maximum bytes of one image or document: the limit of the strictest vendor. */
export const maxMediaBytes = 4.5 * 1024 * 1024

/** Maximum pixels per side of an image: models see no more. */
export const maxImagePixels = 2_000

/** Maximum bytes of an attached text. The model reads larger files of the disk with the read tool. */
export const maxTextBytes = 256 * 1024
