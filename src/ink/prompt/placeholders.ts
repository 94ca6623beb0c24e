import type { Paste, PromptText } from './prompt.ts'

/** Returns `[name]`, with a number if it is taken. */
export function freePlaceholder(name: string, pastes: readonly Paste[]): string {
  const taken = new Set(pastes.map(({ placeholder }) => placeholder))
  let free = `[${name}]`
  for (let number = 2; taken.has(free); number++) free = `[${name} #${number}]`
  return free
}

/** Returns the text with what stands behind each placeholder, wherever it occurs. */
export function expanded({ text, pastes }: PromptText): string {
  return replaced(text, new Map(pastes.map((one) => [one.placeholder, one.text])))
}

/** Puts placeholders back where a text holds what they stand for; the others are dropped. */
export function folded({ text, pastes }: PromptText): PromptText {
  let left = text
  const held: Paste[] = []
  for (const paste of pastes.toSorted((a, b) => b.text.length - a.text.length)) {
    // An editor ends the file with a line break, which the end of a paste may be.
    const found = [paste.text, paste.text.replace(/\n$/, '')].find((one) => one !== '' && left.includes(one))
    if (found === undefined || left.includes(paste.placeholder)) continue
    left = left.replace(found, () => paste.placeholder)
    held.push(paste)
  }
  return { text: left, pastes: held }
}

/**
 * Returns the text for a draft that has these pastes, and the pastes with those of the text. A placeholder that stands for something else
 * in the draft gets another number.
 */
export function adopted(known: readonly Paste[], { text, pastes }: PromptText): PromptText {
  const all = [...known]
  const renamed = new Map<string, string>()
  for (const paste of pastes) {
    const name = nameOf(paste)
    const alike = all.filter((one) => one.text === paste.text && nameOf(one) === name)
    const same = alike.find(({ placeholder }) => placeholder === paste.placeholder) ?? alike[0]
    const isFree = !all.some(({ placeholder }) => placeholder === paste.placeholder)
    const placeholder = same?.placeholder ?? (isFree ? paste.placeholder : freePlaceholder(name, all))
    if (placeholder !== paste.placeholder) renamed.set(paste.placeholder, placeholder)
    if (same === undefined) all.push({ ...paste, placeholder })
  }
  return { text: replaced(text, renamed), pastes: all }
}

/** Returns the part of a text between two indexes, with the pastes that it holds. */
export function part({ text, pastes }: PromptText, start: number, end: number): PromptText {
  const held = text.slice(start, end)
  return { text: held, pastes: pastes.filter(({ placeholder }) => held.includes(placeholder)) }
}

/** Returns the name without the number that tells it from others. */
function nameOf({ placeholder }: Paste): string {
  return placeholder.slice(1, -1).replace(/ #\d+$/, '')
}

function replaced(text: string, by: ReadonlyMap<string, string>): string {
  if (by.size === 0) return text
  const pattern = [...by.keys()].map((one) => one.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')
  return text.replace(new RegExp(pattern, 'g'), (placeholder) => by.get(placeholder) ?? placeholder)
}
