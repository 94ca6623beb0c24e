import { onTestFinished } from 'vitest'
import type { DriverOptions } from '../../../src/agent/conversation/driver-options.ts'
import { RemoteServer } from '../../../src/attach/remote-server.ts'
import { ServerClient } from '../../../src/attach/server-client.ts'
import { systemIds } from '../../../src/cli/host.ts'
import { systemClock } from '../../../src/cli/system-clock.ts'
import type { Conversation, LocalConversation } from '../../../src/conversation.ts'
import { createTransport } from '../../../src/http/transport.ts'
import { serveParts } from '../live/served.ts'
import { openServedConversation } from '../live/served-conversation.ts'
import type { AgentSetup } from './agent.ts'

/** A conversation to open: the agent behind it, and what drives it. */
export interface ConversationSetup extends AgentSetup {
  readonly driver?: Partial<DriverOptions>
}

/** An open conversation, with the end that runs it. */
export interface OpenedConversation {
  readonly conversation: Conversation
  readonly local: LocalConversation
}

export type OpenConversation = (setup: ConversationSetup) => Promise<OpenedConversation>

/** Opens a conversation in this process until the test ends. */
export async function openLocally({ driver, ...agent }: ConversationSetup): Promise<OpenedConversation> {
  const local = openServedConversation(systemIds().session(), agent, driver)
  onTestFinished(() => local.close())
  return { conversation: local, local }
}

/** Opens a conversation behind a server of this process, and attaches to it until the test ends. */
export async function openRemotely({ driver, ...agent }: ConversationSetup): Promise<OpenedConversation> {
  const local = openServedConversation(systemIds().session(), agent, driver)
  const { url, token } = await serveParts({ open: async () => local })
  const transport = createTransport()
  const stop = new AbortController()
  onTestFinished(() => {
    stop.abort()
    transport.close()
  })
  const client = new ServerClient({ address: { base: url }, token, transport })
  const options = { client, clock: systemClock, patienceMs: 10_000, signal: stop.signal }
  const server = new RemoteServer(options)
  const { conversation } = await server.open(await server.begin({}))
  return { conversation, local }
}
