/** A word after expansion. If `known` is false, a part of it is only known at run time and missing in `text`. */
export interface Field {
  readonly text: string
  readonly known: boolean
  /** Holds a glob that may match files. */
  readonly glob: boolean
}

/** A word that is known as a whole. */
export function knownField(text: string): Field {
  return { text, known: true, glob: false }
}

/** A word that is only known at run time. */
export const unknownField: Field = { text: '', known: false, glob: false }

/** Stands for an unknown part. No private-use character of a command gets here: such a script counts as unknown. */
const gap = '\uf8ff'
const special = '{},*?[]~ \t\n'

/** Makes these letters literal. Default: all special ones. */
export function quoteText(text: string, letters = /[{},*?[\]~ \t\n]/g): string {
  return text.replace(letters, (letter) => String.fromCharCode(0xe000 + special.indexOf(letter)))
}

/** Makes braces and commas literal: bash expands no braces in a variable's value. */
export function quoteBraces(text: string): string {
  return quoteText(text, /[{},]/g)
}

export const unknownText: string = gap

/** The text of a word, with a mark if a part of it is unknown. */
export function markedText({ text, known }: Field): string {
  return known ? text : text + unknownText
}

/** Characters of a command that would pass for the marks used here. */
export const marks: RegExp = /[\ue000-\uf8ff]/

/** Expands the braces of a marked text and splits it at blanks. `keepsEmpty`: it held quotes, so an empty field stays. */
export function splitFields(text: string, keepsEmpty: boolean): readonly Field[] {
  const fields = expandBraces(text).flatMap((one) => one.split(/[ \t\n]+/))
  return fields.filter((one) => one !== '' || keepsEmpty).map(toField)
}

function toField(text: string): Field {
  return {
    text: plain(text.replaceAll(gap, '')),
    known: !text.includes(gap),
    glob: /[*?]|\[.*\]/s.test(text),
  }
}

function plain(text: string): string {
  return text.replace(/[\ue000-\ue00b]/g, (mark) => special[mark.charCodeAt(0) - 0xe000] ?? '')
}

/** Words that one word may expand to. Past that, one unknown word stands for the rest. */
const mostWords = 64

/** Expands `a{b,c}` to `ab ac`. A sequence such as `{1..9}` becomes one unknown word. */
function expandBraces(text: string): readonly string[] {
  const done: string[] = []
  const todo = [text]
  for (let word = todo.pop(); word !== undefined; word = todo.pop()) {
    const group = findGroup(word)
    if (group === undefined) done.push(word)
    else if (done.length + todo.length + group.length > mostWords) return [...done, gap]
    else todo.push(...group.toReversed())
  }
  return done
}

/** Expands the first closed brace group of a word, innermost first. */
function findGroup(word: string): readonly string[] | undefined {
  const open: { start: number; commas: number[] }[] = []
  for (let i = 0; i < word.length; i++) {
    const letter = word[i]
    if (letter === '{') open.push({ start: i, commas: [] })
    else if (letter === ',') open.at(-1)?.commas.push(i)
    else if (letter === '}') {
      const group = open.pop()
      if (group === undefined) continue
      const [head, tail] = [word.slice(0, group.start), word.slice(i + 1)]
      const ends = [group.start, ...group.commas, i]
      const items = ends.slice(1).map((end, n) => word.slice((ends[n] ?? 0) + 1, end))
      if (items.length > 1) return items.map((item) => head + item + tail)
      if (items[0]?.includes('..')) return [head + gap + tail]
    }
  }
  return undefined
}
