import * as z from 'zod'

const line = z.looseObject({ type: z.string() })

/** A line of `stream-json`. */
export type StreamLine = z.infer<typeof line>

/** Parses lines of `stream-json`. Each must be an object with a type, followed by a line break. */
export function readLines(stdout: string): readonly StreamLine[] {
  const lines = stdout.split('\n')
  if (lines.pop() !== '') throw new Error('the last line has no end')
  return lines.map((text) => line.parse(JSON.parse(text)))
}
