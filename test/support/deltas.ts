/** A text in deltas of a few characters. */
export function deltasOf(text: string): string[] {
  return text.match(/[\s\S]{1,6}/gu) ?? []
}
