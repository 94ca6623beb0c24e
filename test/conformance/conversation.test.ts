import { openLocally, openRemotely } from '../support/conversations/opened.ts'
import { describeConversation } from './conversation.ts'

describeConversation('Driver', openLocally, { close: 'ends' })
describeConversation('RemoteConversation', openRemotely, { close: 'leaves' })
