/** Passes on each text once, however often it comes. */
export function onlyOnce(tell: (text: string) => void): (text: string) => void {
  const told = new Set<string>()
  return (text) => {
    if (told.has(text)) return
    told.add(text)
    tell(text)
  }
}
