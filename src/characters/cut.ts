/** Returns the first `maxLength` UTF-16 units of a text, one less where that would split a surrogate pair. */
export function cutText(text: string, maxLength: number): string {
  const end = /[\ud800-\udbff]/.test(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength
  return text.length <= maxLength ? text : text.slice(0, end)
}

/** Returns the last `maxLength` UTF-16 units of a text, one less where that would split a surrogate pair. */
export function cutStart(text: string, maxLength: number): string {
  const end = text.slice(Math.max(0, text.length - maxLength))
  return end.length < text.length && /^[\udc00-\udfff]/.test(end) ? end.slice(1) : end
}
