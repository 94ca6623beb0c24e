import * as z from 'zod/mini'
import { parseJson } from '../json-value.ts'

// Each is made with the first call of its tool: together they would take longer to make than most commands to run.

/** Text that a model sent in place of what it should have sent is taken for what `read` makes of it. */
const lenient = <Schema extends z.ZodMiniType>(read: (text: string) => unknown, schema: Schema) =>
  z.pipe(
    z.transform((given: unknown) => (typeof given === 'string' ? read(given) : given)),
    schema,
  )

/** A whole number; models sometimes send it as text. */
const count = (least: number) =>
  lenient((text) => (/^\d+$/.test(text) ? Number(text) : text), z.int().check(z.minimum(least)))

/** Models sometimes send a list as its JSON text. */
const list = <Item extends z.ZodMiniType>(item: Item) =>
  lenient((text) => parseJson(text) ?? text, z.array(item))

/** Text that says something. */
const some = () => z.string().check(z.minLength(1))

export const read = () =>
  z.object({
    path: some(),
    offset: z.optional(count(1)).check(z.describe('first line, from 1')),
    limit: z.optional(count(1)),
  })

export const write = () => z.object({ path: some(), content: z.string() })

const replacement = () =>
  z.object({
    old_text: z.string(),
    new_text: z.string(),
    replace_all: z.optional(z.boolean()),
  })

export const edit = () =>
  z.object({
    path: some(),
    ...z.partial(replacement()).shape,
    edits: z.optional(list(replacement())),
  })

/** What other programs' tools call the folder to run in: a command must not run elsewhere than the model thinks. */
const folderNames = ['cwd', 'workdir', 'working_directory', 'directory', 'dir_path']

export const bash = () =>
  z
    .looseObject({
      command: some(),
      timeout: z.optional(count(1)).check(z.describe('seconds')),
      background: z.optional(z.boolean()),
      on_timeout: z.optional(z.enum(['background', 'kill'])),
      sandbox: z.optional(z.boolean()).check(z.describe('false: outside it, asks')),
    })
    .check(
      z.refine(
        (given) => folderNames.every((name) => given[name] === undefined),
        'to run in another folder begin the command with cd: cd FOLDER && …',
      ),
    )

export const process = () =>
  z.object({
    action: z.enum(['list', 'read', 'wait', 'write', 'kill']),
    id: z.optional(z.string()),
    input: z.optional(z.string()),
    timeout: z.optional(count(1)),
  })

export const grep = () =>
  z.object({
    pattern: some(),
    path: z.optional(some()),
    glob: z.optional(some()).check(z.describe('only these files: *.ts')),
    type: z.optional(some()).check(z.describe('of files: ts, py')),
    output: z.optional(z.enum(['lines', 'files', 'count'])),
    ignore_case: z.optional(z.boolean()),
    multiline: z.optional(z.boolean()),
    context: z.optional(count(0)),
  })

export const glob = () =>
  z.object({
    pattern: some(),
    path: z.optional(some()).check(z.describe('folder')),
  })

export const fetch = () =>
  z.object({
    url: some(),
    offset: z.optional(count(0)).check(z.describe('characters to skip')),
  })

export const todo = () =>
  z.object({
    items: list(z.object({ text: some(), status: z.enum(['pending', 'in_progress', 'done']) })),
  })

const question = () =>
  z.object({
    question: some(),
    kind: z.enum(['select', 'confirm', 'input']),
    options: z.optional(z.array(some()).check(z.maxLength(9))),
    default: z.optional(z.string()),
  })

export const ask = () =>
  z.object({
    questions: list(question()).check(
      z.refine(({ length }) => length > 0 && length < 10, 'ask one to nine questions'),
    ),
  })
