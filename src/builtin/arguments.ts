import * as z from 'zod'

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
  limit: count(1).optional().describe('number of lines'),
})

export const write = z.object({ path, content: z.string() })

export const edit = z.object({
  path,
  old_text: z.string(),
  new_text: z.string(),
  replace_all: z.boolean().optional(),
})

export const bash = z.object({
  command: z.string().min(1),
  timeout: count(1).optional().describe('seconds'),
})

export const grep = z.object({
  pattern: z.string().min(1).describe('regular expression'),
  path: path.optional().describe('file or folder'),
  glob: z.string().min(1).optional().describe('only these files: *.ts'),
  ignore_case: z.boolean().optional(),
  context: count(0).optional().describe('lines around each match'),
})

export const glob = z.object({
  pattern: z.string().min(1),
  path: path.optional().describe('folder'),
})
