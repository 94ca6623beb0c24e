import type { JsonObject, JsonValue } from '../../../src/json-value.ts'
import type { Running } from '../../support/programs/program.ts'
import { readLines, type StreamLine } from '../../support/programs/stream-lines.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

/** A run that the test drives line by line. */
export interface DrivenRun {
  readonly world: World
  readonly running: Running
  /** The lines so far. */
  lines(): readonly StreamLine[]
  send(line: JsonValue): Promise<void>
  /** Waits for a line with these words. */
  until(pattern: RegExp): Promise<void>
  /** Ends the input and waits for the end. */
  end(): Promise<{ readonly code: number | null; readonly stderr: string }>
}

/** The flags of a run that a program drives. */
export const drivenFlags = ['--input-format', 'stream-json', '-o', 'stream-json'] as const

/** Starts a run that the test drives. */
export function drive(world: World, flags: readonly string[] = []): DrivenRun {
  const running = world.start([...drivenFlags, ...flags], { input: 'open' })
  return {
    world,
    running,
    lines: () => readLines(running.stdout.slice(0, running.stdout.lastIndexOf('\n') + 1)),
    send: (line) => running.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`),
    until: (pattern) => running.until(pattern),
    end: async () => {
      running.endInput()
      const { code, stderr } = await running.ended
      return { code, stderr }
    },
  }
}

/** Opens a world and starts a run in it. */
export async function driveIn(flags: readonly string[] = []): Promise<DrivenRun> {
  return drive(await openWorld(), flags)
}

export function user(content: JsonValue, more: JsonObject = {}): JsonObject {
  return { type: 'user', message: { role: 'user', content }, ...more }
}

export function request(id: string, subtype: string, fields: JsonObject = {}): JsonObject {
  return { type: 'control_request', request_id: id, request: { subtype, ...fields } }
}

export function answer(id: unknown, response: JsonObject): JsonObject {
  return { type: 'control_response', response: { subtype: 'success', request_id: String(id), response } }
}
