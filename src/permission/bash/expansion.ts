import { decodeAnsiC } from './ansi-c.ts'
import {
  type Field,
  knownField,
  quoteBraces,
  quoteText,
  splitFields,
  unknownField,
  unknownText,
} from './fields.ts'
import { allWords, type ScannedCommand, type Script, type Word, type WordPart } from './syntax.ts'

/** Possible values by variable. A missing variable is unknown; `unknownText` stands for an unknown value. */
export type Variables = ReadonlyMap<string, ReadonlySet<string>>

/** Expansions to consider for a word or a command. One unknown expansion stands for any more. */
const mostWays = 16

/** Returns every possible expansion of a word, each as its fields. */
export function expandWord(word: Word, variables: Variables): readonly (readonly Field[])[] {
  const [part, ...more] = word.parts
  if (part?.type === 'text' && more.length === 0 && /^[\w./:=@%+,-]+$/.test(part.text)) {
    return [[knownField(part.text)]]
  }
  const keepsEmpty = word.parts.some((part) => part.type === 'text' && part.quoted)
  return expandParts(word.parts, variables).map((text) => splitFields(text, keepsEmpty))
}

/** Returns every possible expansion of a command. */
export function expandWords(words: readonly Word[], variables: Variables): readonly (readonly Field[])[] {
  const choices = words.map((word) => expandWord(word, variables))
  if (choices.every((ways) => ways.length === 1)) return [choices.flat(2)]
  return cross(
    choices,
    (sofar: readonly Field[], next: readonly Field[]) => [...sofar, ...next],
    [],
    [unknownField],
  )
}

/** Returns every possible text of a here-document, an assignment or a quoted word; `undefined` for an unknown one. */
export function expandText(
  parts: readonly WordPart[],
  variables: Variables,
): readonly (string | undefined)[] {
  const quoted = parts.map((part) => ('quoted' in part ? { ...part, quoted: true } : part))
  return expandParts(quoted, variables).map((text) => {
    const [field] = splitFields(text === '' ? quoteText(' ') : text, true)
    if (field?.known !== true) return undefined
    return text === '' ? '' : field.text
  })
}

function expandParts(parts: readonly WordPart[], variables: Variables): readonly string[] {
  return cross(
    parts.map((part) => expandPart(part, variables)),
    (sofar: string, next: string) => sofar + next,
    '',
    unknownText,
  )
}

function expandPart(part: WordPart, variables: Variables): readonly string[] {
  switch (part.type) {
    case 'text':
      return [part.quoted ? quoteText(part.text) : part.text]
    case 'variable':
      return valuesOf(part.name, variables).map((value) => mark(value, part.quoted))
    case 'default': {
      const other = expandText(part.word, variables).map((value) => mark(value ?? unknownText, part.quoted))
      return [...other, ...valuesOf(part.name, variables).map((value) => mark(value, part.quoted))]
    }
    case 'substitution': {
      const output = outputOf(part.script, variables)
      return output.map((value) => (value === undefined ? unknownText : mark(value.trimEnd(), part.quoted)))
    }
    case 'process':
      return [unknownText]
    case 'unknown':
      return ['', unknownText]
  }
}

/** Globs stay special even in quotes: in a loop over a glob, the value stands for every file that matches. */
function mark(value: string, quoted: boolean): string {
  return quoted ? quoteText(value, /[{},~ \t\n]/g) : quoteBraces(value)
}

/** A variable without known values may also be empty. */
function valuesOf(name: string, variables: Variables): readonly string[] {
  const known = variables.get(name)
  return known === undefined ? ['', unknownText] : [...known]
}

/** The possible outputs of a script with a single command; `undefined` for an unknown one. */
function outputOf(
  { commands: [command, ...more] }: Script,
  variables: Variables,
): readonly (string | undefined)[] {
  return command === undefined || more.length > 0 ? [undefined] : printed(command, variables)
}

/** The possible outputs of `echo`, `printf`, and `cat` with a here-document; `undefined` for an unknown one. */
export function printed(command: ScannedCommand, variables: Variables): readonly (string | undefined)[] {
  const bodies = command.redirects.flatMap(({ operator, body, target }) => {
    if (body !== undefined) return expandText(body, variables)
    return operator === '<<<' ? expandText(target.parts, variables) : []
  })
  return expandWords(command.words, variables).flatMap(([name, ...args]) => {
    if (name?.text === 'cat' && args.length === 0 && bodies.length > 0) return bodies
    if (name?.known !== true || args.some(({ known }) => !known)) return [undefined]
    const texts = args.map(({ text }) => text)
    if (name.text === 'echo') return [echo(texts)]
    return name.text === 'printf' ? [printf(texts)] : [undefined]
  })
}

function echo(args: readonly string[]): string {
  const first = args.findIndex((arg) => !/^-[neE]+$/.test(arg))
  const options = first === -1 ? args : args.slice(0, first)
  const text = args.slice(options.length).join(' ')
  return options.some((option) => option.includes('e')) ? decodeAnsiC(text) : text
}

function printf([format = '', ...args]: readonly string[]): string | undefined {
  if (format.startsWith('-') || /%(?![sb%])/.test(format)) return undefined
  const texts = [...args]
  let text = ''
  do {
    text += decodeAnsiC(format).replace(/%([sb%])/g, (_, kind) =>
      kind === '%' ? '%' : (texts.shift() ?? ''),
    )
  } while (texts.length > 0 && /%[sb]/.test(format))
  return text
}

/** Combines the choices in every way. Past the limit, `unknown` stands for the rest. */
function cross<T, U>(
  choices: readonly (readonly T[])[],
  join: (sofar: U, next: T) => U,
  empty: U,
  unknown: U,
): readonly U[] {
  let ways: readonly U[] = [empty]
  for (const [first, ...others] of choices) {
    if (first === undefined) continue
    const next: U[] = ways.map((way) => join(way, first))
    const more = others.flatMap((other) => ways.map((way) => join(way, other)))
    ways = [...next, ...more.slice(0, mostWays)]
    if (more.length > mostWays || ways.length > mostWays * 2) ways = [...ways.slice(0, mostWays), unknown]
  }
  return ways
}

/** Whether a word is exactly this text, quoted or not. */
export function isWord(word: Word | undefined, text: string): boolean {
  return word?.parts.length === 1 && word.parts[0]?.type === 'text' && word.parts[0].text === text
}

/** The input that the line itself gives a command: here-documents, here-strings and process substitutions. */
export function givenInput(command: ScannedCommand, variables: Variables): readonly (string | undefined)[] {
  const here = command.redirects.flatMap(({ operator, body, target }) =>
    operator.startsWith('<<') ? expandText(body ?? target.parts, variables) : [],
  )
  const substituted = allWords(command)
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.type === 'process' ? part.script.commands : []))
  return [...here, ...substituted.flatMap((one) => printed(one, variables))]
}
