import { describe, it } from 'vitest'
import { conversationConformance } from '../../src/conformance/suites.ts'
import { type OpenConversation, openLocally, openRemotely } from '../support/conversations/opened.ts'
import { describeConversation } from './conversation.ts'

/** Holds an implementation against the suite that others use, too. */
function describePromises(name: string, open: OpenConversation): void {
  describe(name, () => {
    for (const { name: promise, run } of conversationConformance(({ provider, tools }) =>
      open({ provider, executor: tools }),
    ))
      it(promise, run)
  })
}

describePromises('Driver', openLocally)
describePromises('RemoteConversation', openRemotely)
describeConversation('Driver', openLocally, { close: 'ends' })
describeConversation('RemoteConversation', openRemotely, { close: 'leaves' })
