/** A word after expansion. `known` is false where a part of it is only known when it runs; `text` then lacks that part. */
export interface Field {
  readonly text: string
  readonly known: boolean
  /** It holds a glob that files may answer to. */
  readonly glob: boolean
}

/** Stands for a part that is not known. Private-use characters of a command are not let through to here. */
const gap = '\uf8ff'
const special = '{},*?[]~ \t\n'

/** Text in which these letters are not special any more; by default none is. */
export function quoteText(text: string, letters = /[{},*?[\]~ \t\n]/g): string {
  return text.replace(letters, (letter) => String.fromCharCode(0xe000 + special.indexOf(letter)))
}

/** Text that braces are not expanded in: it comes from a variable. */
export function quoteBraces(text: string): string {
  return quoteText(text, /[{},]/g)
}

export const unknownText: string = gap

/** A word as a text in which it shows that a part is not known. */
export function marked({ text, known }: Field): string {
  return known ? text : text + unknownText
}

/** What cannot stand in a command without being mistaken for our own marks. */
export const marks: RegExp = /[\ue000-\uf8ff]/

/** The fields of a marked text: its braces expanded, split at blanks. `keepsEmpty`: there were quotes in it. */
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

/** More words than this out of one are not told apart: the last stands for the rest and is unknown. */
const mostWords = 64

/** `a{b,c}` is `ab ac`; a sequence is one word that is not known. */
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

/** The words that a group of braces makes of this one: of those inside others first. */
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
