/** Prevents a text from closing its frame in a message, or opening one that looks like another's. */
export function withoutFrames(text: string): string {
  return text.replace(/<(?=\/?\s*(instructions|environment|memories|session|agent|skills?)\b)/gi, '&lt;')
}
