/** Types of images that models take, and that browsers show without running a script. */
const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

export function isImageType(mimeType: string): boolean {
  return imageTypes.includes(mimeType)
}

/** Whether data in base64 may be shown as an image, or sent as one, as its type says. */
export function isImageData(mimeType: string, data: string): boolean {
  return isImageType(mimeType) && /^[A-Za-z0-9+/]+={0,2}$/.test(data)
}
