import type { JsonObject } from '../../../src/json-value.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

/** A world whose user has set up these hooks. `more` are other settings. */
export async function openHooked(hooks: object, more: JsonObject = {}): Promise<World> {
  const world = await openWorld()
  await world.configure({
    model: 'fake/model-1',
    providers: { fake: { dialect: 'openai-chat', base_url: world.server.baseUrl } },
    hooks,
    ...more,
  })
  return world
}

/** One hook of an event: a line of sh. */
export function hook(command: string, more: object = {}, matcher = ''): readonly object[] {
  return [{ matcher, hooks: [{ type: 'command', command, ...more }] }]
}

/** A line of sh that prints a JSON answer. */
export function answering(answer: object): string {
  return `cat <<'END'\n${JSON.stringify(answer)}\nEND`
}

/** An answer about a call. */
export function aboutCall(fields: object): string {
  return answering({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } })
}
