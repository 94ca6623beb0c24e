/** Operators, which work on what a motion passes or an object covers. */
const operators = ['d', 'c', 'y', '>', '<', 'gu', 'gU', 'g~'] as const
export type Operator = (typeof operators)[number]

/** A motion by its keys, such as `w` or `ge`; `character` is the one that `f` and the like search. */
export interface Motion {
  readonly type: 'motion'
  readonly name: string
  readonly character: string
}

/** A text object such as `iw`. */
export interface TextObject {
  readonly type: 'object'
  readonly isAround: boolean
  /** The key of the object: `w`, `W`, `p`, a quote, or an opening bracket. */
  readonly kind: string
}

/** The lines that a doubled operator works on, such as `dd`. */
export interface WholeLines {
  readonly type: 'lines'
}

export type VimTarget = Motion | TextObject | WholeLines

/** A command whose keys are complete. `count` is absent where none was typed. */
export type VimCommand =
  | { readonly type: 'move'; readonly target: Motion; readonly count: number | undefined }
  /** In a visual mode: selects an object. */
  | { readonly type: 'select'; readonly target: TextObject; readonly count: number | undefined }
  | {
      readonly type: 'operate'
      readonly operator: Operator
      /** Absent in a visual mode: the selection. */
      readonly target: VimTarget | undefined
      readonly count: number | undefined
    }
  /** A command without a motion, by its keys; `character` is the one that `r` writes. */
  | {
      readonly type: 'do'
      readonly name: string
      readonly character: string
      readonly count: number | undefined
    }

/** A count, an operator with a count of its own, and what follows. */
const form = /^([1-9]\d*)?(?:(g[uU~]|[dcy<>])([1-9]\d*)?)?([\s\S]*)$/
const visualForm = /^([1-9]\d*)?([^\s\S])?([^\s\S])?([\s\S]*)$/

const motions: ReadonlySet<string> = new Set([
  ...'hjklwWbBeE0^$G;,%{} '.split(''),
  ...['ge', 'gE', 'gg', 'g_', 'gj', 'gk'],
])
const deeds: ReadonlySet<string> = new Set([...'pPxXsSDCYJu.~iIaAoOvV'.split(''), 'gJ'])
const visualDeeds: ReadonlySet<string> = new Set([...'pPXSDCYRJIAovV'.split(''), 'gJ'])
const visualOperators: Readonly<Record<string, Operator>> = {
  d: 'd',
  x: 'd',
  c: 'c',
  s: 'c',
  y: 'y',
  '>': '>',
  '<': '<',
  u: 'gu',
  U: 'gU',
  '~': 'g~',
  gu: 'gu',
  gU: 'gU',
  'g~': 'g~',
}

/** Keys that stand for a bracket in the name of an object. */
const brackets: Readonly<Record<string, string>> = {
  ')': '(',
  b: '(',
  ']': '[',
  '}': '{',
  B: '{',
  '>': '<',
}
const objects = /^([ia])(?:([wWp"'`([{<)\]}>bB])|$)/

/** No command is done more often. */
const mostTimes = 999

/** Reads keys: a command, `incomplete` where more have to follow, or `undefined` for keys that mean nothing. */
export function readVimCommand(keys: string, isInVisual: boolean): VimCommand | 'incomplete' | undefined {
  const [, first, operatorKeys = '', second, rest = ''] = (isInVisual ? visualForm : form).exec(keys) ?? []
  const operator = operators.find((one) => one === operatorKeys)
  const count = counted(first, second)
  if (rest === '' || rest === 'g') return 'incomplete'
  if (operator !== undefined) {
    const target = readTarget(rest, operator)
    return typeof target === 'object' ? { type: 'operate', operator, target, count } : target
  }
  return isInVisual ? readSelected(rest, count) : readPlain(rest, count)
}

function counted(first: string | undefined, second: string | undefined): number | undefined {
  if (first === undefined && second === undefined) return undefined
  return Math.min(mostTimes, Number(first ?? 1) * Number(second ?? 1))
}

function readTarget(rest: string, operator: Operator): VimTarget | 'incomplete' | undefined {
  if (rest === operator || rest === operator.at(-1)) return { type: 'lines' }
  return readObject(rest) ?? readMotion(rest)
}

function readObject(rest: string): TextObject | 'incomplete' | undefined {
  const [whole, side, kind] = objects.exec(rest) ?? []
  if (whole === undefined) return undefined
  if (kind === undefined) return 'incomplete'
  return { type: 'object', isAround: side === 'a', kind: brackets[kind] ?? kind }
}

function readMotion(rest: string): Motion | 'incomplete' | undefined {
  if (motions.has(rest)) return { type: 'motion', name: rest, character: '' }
  const [, name, character = ''] = /^([fFtT])([\s\S]*)$/.exec(rest) ?? []
  if (name === undefined) return undefined
  return character === '' ? 'incomplete' : { type: 'motion', name, character }
}

function readPlain(rest: string, count: number | undefined): VimCommand | 'incomplete' | undefined {
  const target = readMotion(rest)
  if (target !== undefined) return target === 'incomplete' ? target : { type: 'move', target, count }
  return readDeed(rest, count, deeds)
}

function readDeed(
  rest: string,
  count: number | undefined,
  known: ReadonlySet<string>,
): VimCommand | 'incomplete' | undefined {
  if (rest === 'r') return 'incomplete'
  if (rest.startsWith('r')) return { type: 'do', name: 'r', character: rest.slice(1), count }
  return known.has(rest) ? { type: 'do', name: rest, character: '', count } : undefined
}

function readSelected(rest: string, count: number | undefined): VimCommand | 'incomplete' | undefined {
  const operator = visualOperators[rest]
  if (operator !== undefined) return { type: 'operate', operator, target: undefined, count }
  const object = readObject(rest)
  if (object !== undefined)
    return object === 'incomplete' ? object : { type: 'select', target: object, count }
  const target = readMotion(rest)
  if (target !== undefined) return target === 'incomplete' ? target : { type: 'move', target, count }
  return readDeed(rest, count, visualDeeds)
}
