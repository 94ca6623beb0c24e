import * as z from 'zod'
import { parseJson } from '../json-value.ts'

/** A whole number; models sometimes send it as text. */
const count = (least: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
    z.int().min(least),
  )

const path = z.string().min(1)

export const read = z.object({
  path,
  offset: count(1).optional().describe('first line, from 1'),
  limit: count(1).optional(),
})

export const write = z.object({ path, content: z.string() })

/** Models sometimes send a list as its JSON text. */
const list = <Item extends z.ZodType>(item: Item) =>
  z.preprocess((value) => (typeof value === 'string' ? (parseJson(value) ?? value) : value), z.array(item))

const replacement = z.object({
  old_text: z.string(),
  new_text: z.string(),
  replace_all: z.boolean().optional(),
})

export const edit = z.object({
  path,
  ...replacement.partial().shape,
  edits: list(replacement).optional(),
})

/** What other programs' tools call the folder to run in: a command must not run elsewhere than the model thinks. */
const folderNames = ['cwd', 'workdir', 'working_directory', 'directory', 'dir_path']

export const bash = z
  .looseObject({
    command: z.string().min(1),
    timeout: count(1).optional().describe('seconds'),
    background: z.boolean().optional(),
    on_timeout: z.enum(['background', 'kill']).optional(),
    sandbox: z.boolean().optional().describe('false: outside it, asks'),
  })
  .refine(
    (given) => folderNames.every((name) => given[name] === undefined),
    'to run in another folder begin the command with cd: cd FOLDER && …',
  )

export const process = z.object({
  action: z.enum(['list', 'read', 'wait', 'write', 'kill']),
  id: z.string().optional(),
  input: z.string().optional(),
  timeout: count(1).optional(),
})

export const grep = z.object({
  pattern: z.string().min(1),
  path: path.optional(),
  glob: z.string().min(1).optional().describe('only these files: *.ts'),
  type: z.string().min(1).optional().describe('of files: ts, py'),
  output: z.enum(['lines', 'files', 'count']).optional(),
  ignore_case: z.boolean().optional(),
  multiline: z.boolean().optional(),
  context: count(0).optional(),
})

export const glob = z.object({
  pattern: z.string().min(1),
  path: path.optional().describe('folder'),
})

export const fetch = z.object({
  url: z.string().min(1),
  offset: count(0).optional().describe('characters to skip'),
})

export const todo = z.object({
  items: list(z.object({ text: z.string().min(1), status: z.enum(['pending', 'in_progress', 'done']) })),
})

const question = z.object({
  question: z.string().min(1),
  kind: z.enum(['select', 'confirm', 'input']),
  options: z.array(z.string().min(1)).max(9).optional(),
  default: z.string().optional(),
})

export const ask = z.object({
  questions: list(question).refine(({ length }) => length > 0 && length < 10, 'ask one to nine questions'),
})
