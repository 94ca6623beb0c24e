import { expect } from 'vitest'
import { lastText, say, use } from '../models/replies.ts'
import { expectRun } from './program.ts'
import type { World } from './world.ts'

/** Has the model run a command, and returns the result that it receives. */
export async function told(world: World, command: string, ...flags: readonly string[]): Promise<string> {
  const before = world.server.requests.length
  world.server.reply(use(['bash', { command }]), say('So be it.'))
  expectRun(await world.pipe([...flags, 'go']), { stdout: 'So be it.\n', stderr: expect.any(String) })
  const [, request] = world.server.requests.slice(before)
  return request === undefined ? '' : lastText(request.body)
}
