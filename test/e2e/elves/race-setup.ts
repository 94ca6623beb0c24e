import type { ScriptBlock } from '../../../src/replay/script.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'

export const text = (words: string): readonly ScriptBlock[] => [{ type: 'text', text: words }]
export const call = (name: string, args: Record<string, string>): readonly ScriptBlock[] => [
  { type: 'tool_call', name, arguments: args },
]
const read = call('read', { path: 'a.txt' })
export const write = (path: string, content: string) => call('write', { path, content })

/** Stands for an answer with the status 401. */
export const refused: readonly ScriptBlock[] = []

type Scripts = Readonly<Record<string, readonly (readonly ScriptBlock[])[]>>

/** Lets each model answer with its own replies, in whatever order the requests come. */
export function script({ server }: World, scripts: Scripts): void {
  for (const _ of Object.values(scripts).flat())
    server.reply(({ body }, response) => {
      const round = body.messages.filter(({ role }) => role === 'assistant').length
      const blocks = scripts[body.model]?.[round]
      if (blocks === undefined || blocks === refused) return void response.writeHead(401).end()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(replyEvents(blocks).join(''))
    })
}

export const git = 'git -c user.name=Ann -c user.email=a@b'

/** A world with a repository in which one file is changed and not committed. */
export async function openRepository(): Promise<World> {
  const world = await openWorld()
  await world.put('a.txt', 'one\ntwo\nthree\n')
  await world.shell(`git init -q -b main; git add -A; ${git} commit -qm one`)
  await world.put('a.txt', 'one\ntwo\nthree\nmine\n')
  return world
}

export const fixed = 'one\nTWO\nthree\nmine\n'
export const three: Scripts = {
  big: [read, write('a.txt', `${fixed}more\n`), text('done')],
  small: [read, write('a.txt', fixed), text('done')],
  lazy: [text('nothing to do')],
}

export const refs = async ({ shell }: World) =>
  (await shell('git for-each-ref --format="%(refname)" refs/pipe/race')).stdout
    .trim()
    .split('\n')
    .filter(Boolean)
