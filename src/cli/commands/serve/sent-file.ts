import { basename } from 'node:path'
import { PipeError } from '../../../error.ts'
import { formatBytes } from '../../../frontend/words/amount.ts'
import type { SentFile, ServedConversation } from '../../../hono/backend.ts'
import { maxTextBytes } from '../../../media/media-limits.ts'
import { type ContentBlock, contextLength, type UserMessage } from '../../../message.ts'
import { toContent } from '../../run/message/attachment.ts'

/** Adds to a composer the files that a client sends, as the program attaches those of the disk. */
export function sentComposer(compose: (text: string) => UserMessage): ServedConversation['compose'] {
  return (text, files = []) => {
    // Before the text is composed, because a first message tells about the folder only once.
    const blocks = files.map(blockOf)
    return withFiles(compose(text), files, blocks)
  }
}

/** Throws `input` for what no model takes, and `invalid` for a file that is too large. */
function blockOf({ name, bytes }: SentFile): ContentBlock {
  const content = toContent(bytes, name)
  if (content.type !== 'text') return content
  if (bytes.length > maxTextBytes) {
    const most = formatBytes(maxTextBytes)
    throw new PipeError(
      'invalid',
      `${name} has ${formatBytes(bytes.length)}; a text may have at most ${most}`,
    )
  }
  const label = JSON.stringify(basename(name))
  return { type: 'text', text: `<file from="the user" name=${label}>\n${content.text}\n</file>` }
}

/** Puts the blocks before the user's text. */
function withFiles(
  message: UserMessage,
  files: readonly SentFile[],
  blocks: readonly ContentBlock[],
): UserMessage {
  if (files.length === 0) return message
  const { content, metadata } = message
  const context = contextLength(message)
  const known = metadata?.['attached']
  const attached = files.map(({ name, bytes }) => `${basename(name)} · ${formatBytes(bytes.length)}`)
  return {
    ...message,
    content: [...content.slice(0, context), ...blocks, ...content.slice(context)],
    metadata: {
      ...metadata,
      context: String(context + blocks.length),
      attached: [...(known === undefined ? [] : [known]), ...attached].join(', '),
    },
  }
}
