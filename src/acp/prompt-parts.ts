import { fileURLToPath } from 'node:url'
import type { ContentBlock as EditorBlock } from '@agentclientprotocol/sdk'
import { PipeError } from '../error.ts'
import { calledPrompt, type OwnPrompt } from '../frontend/own-prompt.ts'
import type { ContentBlock, UserMessage } from '../message.ts'

/** Holds one message of an editor. */
export interface EditorPrompt {
  /** The user's own words, with mentions as the program writes them. */
  readonly text: string
  /** The images, documents and embedded texts. */
  readonly blocks: readonly ContentBlock[]
}

/**
 * Reads the blocks of a prompt. A link to a file becomes a mention, which the program attaches by its own rules; text that the editor
 * embeds, such as an unsaved buffer, goes along as data. Throws `invalid` for what no model takes.
 */
export function readEditorPrompt(
  prompt: readonly EditorBlock[],
  commands: readonly OwnPrompt[],
): EditorPrompt {
  const words: string[] = []
  const blocks: ContentBlock[] = []
  for (const block of prompt) {
    switch (block.type) {
      case 'text':
        words.push(block.text)
        break
      case 'resource_link':
        words.push(mentionOf(block.uri))
        break
      case 'image':
        blocks.push({ type: 'image', mimeType: block.mimeType, data: block.data })
        break
      case 'resource':
        blocks.push(embedded(block.resource))
        break
      default:
        throw new PipeError('invalid', `no model here takes ${block.type}: send text, images or files`)
    }
  }
  const text = words.join('').trim()
  return { text: calledPrompt(text, commands) ?? text, blocks }
}

/** Adds the parts to a message that was composed of the text. */
export function withBlocks(message: UserMessage, blocks: readonly ContentBlock[]): UserMessage {
  return blocks.length === 0 ? message : { ...message, content: [...message.content, ...blocks] }
}

function mentionOf(uri: string): string {
  if (!uri.startsWith('file:')) return ` ${uri} `
  try {
    const path = fileURLToPath(uri)
    return /[\s"]/.test(path) ? ` @"${path}" ` : ` @${path} `
  } catch {
    return ` ${uri} `
  }
}

function embedded(resource: Extract<EditorBlock, { readonly type: 'resource' }>['resource']): ContentBlock {
  const { uri, mimeType } = resource
  if ('text' in resource) {
    const name = uri.replaceAll('"', '%22')
    return { type: 'text', text: `<file from="the editor" uri="${name}">\n${resource.text}\n</file>` }
  }
  if (mimeType?.startsWith('image/') === true) return { type: 'image', mimeType, data: resource.blob }
  if (mimeType === 'application/pdf') return { type: 'document', mimeType, data: resource.blob }
  throw new PipeError('invalid', `no model here takes ${mimeType ?? 'bytes without a type'}: ${uri}`)
}
