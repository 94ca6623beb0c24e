import type { Message } from '../message.ts'

/** Reads messages for a document. */
export interface Reading {
  /** Makes foreign text fit to be shown: removes secrets, shows hidden characters. */
  clean(text: string): string
  /** Whether the program wrote this message: a summary, for example. */
  isLoopMessage(message: Message): boolean
}

/** Returns the `provider/model` that spoke, if the message tells it. */
export function modelOf(message: Message): string | undefined {
  if (message.type !== 'assistant' || message.model === undefined) return undefined
  return message.provider === undefined ? message.model : `${message.provider}/${message.model}`
}
