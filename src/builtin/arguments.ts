import * as z from 'zod/mini'
import {
  asCount,
  asFlag,
  asItem,
  asLabel,
  asLineNumber,
  asList,
  asWord,
  withOwnNames,
  withoutBlanks,
  withoutNulls,
} from './near-shapes.ts'

// Each schema is created at the first call of its tool: creating all of them takes longer than most commands run.

/**
 * Normalises an argument with `read`, then checks it. Not for commands, paths, patterns, addresses and `sandbox`: the policy judges
 * them as sent.
 */
const lenient = <Schema extends z.ZodMiniType>(read: (given: unknown) => unknown, schema: Schema) =>
  z.pipe(z.transform(read), schema)

const fields = <Shape extends Record<string, z.ZodMiniType>>(shape: Shape) =>
  lenient(withoutNulls, z.object(shape))

/** An object inside a list. */
const item = <Shape extends Record<string, z.ZodMiniType>>(shape: Shape) => lenient(asItem, z.object(shape))

/** Searches treat empty fields as missing. */
const searchFields = <Shape extends Record<string, z.ZodMiniType>>(shape: Shape) =>
  lenient(withoutBlanks, z.object(shape))

/** A whole number. */
const count = (least: number) => lenient(asCount, z.int().check(z.minimum(least)))

const flag = () => lenient(asFlag, z.boolean())

const word = <const Words extends readonly string[]>(words: Words) => lenient(asWord, z.enum(words))

const list = <Item extends z.ZodMiniType>(item: Item) => lenient(asList, z.array(item))

/** Non-empty text. */
const some = () => z.string().check(z.minLength(1))

export const read = () =>
  fields({
    path: some(),
    offset: z.optional(lenient(asLineNumber, count(1))),
    limit: z.optional(count(1)),
  })

export const write = () => fields({ path: some(), content: z.string() })

const replacement = () => ({
  old_text: z.string(),
  new_text: z.string(),
  replace_all: z.optional(flag()),
})

export const edit = () =>
  fields({
    path: some(),
    ...z.partial(z.object(replacement())).shape,
    edits: z.optional(list(item(replacement()))),
  }).check(
    z.refine(
      ({ old_text, new_text, edits = [] }) =>
        edits.length > 0 || (old_text !== undefined && new_text !== undefined),
      'what to change is missing: old_text and new_text, or edits',
    ),
  )

export const rename = () => fields({ from: some(), to: some() })

/** Other tools' names for the working folder. Refused: a command must not run in a folder that the model does not expect. */
const folderNames = ['cwd', 'workdir', 'working_directory', 'directory', 'dir_path']

export const bash = () =>
  lenient(
    withOwnNames,
    z
      .looseObject({
        command: some(),
        timeout: z.optional(count(1)),
        background: z.optional(flag()),
        on_timeout: z.optional(word(['background', 'kill'])),
        sandbox: z.optional(z.boolean()).check(z.describe('false: outside it, asks')),
      })
      .check(
        z.refine(
          (given) => folderNames.every((name) => given[name] === undefined),
          'to run in another folder begin the command with cd: cd FOLDER && …',
        ),
      ),
  )

export const process = () =>
  fields({
    // The policy treats any other spelling as a change.
    action: word(['list', 'read', 'wait', 'write', 'kill']),
    // Ids look like `p1`. An error would repeat a long one in full.
    id: z.optional(z.string().check(z.maxLength(100))),
    input: z.optional(z.string()),
    timeout: z.optional(count(1)),
  })

export const grep = () =>
  searchFields({
    pattern: some(),
    path: z.optional(some()),
    glob: z.optional(some()),
    type: z.optional(some()),
    output: z.optional(word(['lines', 'files', 'count'])),
    ignore_case: z.optional(flag()),
    multiline: z.optional(flag()),
    context: z.optional(count(0)),
  })

export const glob = () =>
  searchFields({
    pattern: some(),
    path: z.optional(some()),
  })

export const fetch = () =>
  fields({
    url: some(),
    offset: z.optional(count(0)),
  })

const status = () =>
  lenient(
    (given) => (asWord(given) === 'completed' ? 'done' : given),
    word(['pending', 'in_progress', 'done']),
  )

export const todo = () => fields({ items: list(item({ text: some(), status: status() })) })

export const recall = () => searchFields({ query: some() })

export const remember = () => searchFields({ text: some(), user: z.optional(flag()) })

export const task = () =>
  searchFields({
    action: word(['add', 'list', 'show']),
    text: z.optional(some()),
    agent: z.optional(some()),
    id: z.optional(some()),
  })

const question = () =>
  item({
    question: some(),
    kind: word(['select', 'confirm', 'input']),
    options: z.optional(lenient(asList, z.array(lenient(asLabel, some())).check(z.maxLength(9)))),
    default: z.optional(lenient(asLabel, z.string())),
  })

export const ask = () =>
  fields({
    questions: list(question()).check(
      z.refine(({ length }) => length > 0 && length < 10, 'ask one to nine questions'),
    ),
  })
