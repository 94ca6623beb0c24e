import { removalNote } from '../../characters/tag-characters.ts'
import type { UserMessage } from '../../message.ts'

/** Tells the user about the files sent with their message; `undefined` if there are none. */
export function attachmentNote(metadata: UserMessage['metadata']): string | undefined {
  const attached = metadata?.['attached']
  return attached === undefined ? undefined : `attached ${attached}`
}

/** Tells the user which part of their input is not sent. */
export function lossesOf(metadata: UserMessage['metadata']): readonly string[] {
  const removal = removalNote(metadata)
  const missing = metadata?.['missing_files']?.split('\n') ?? []
  return [
    ...(removal === undefined ? [] : [`${removal} from what is sent`]),
    ...missing.map((path) =>
      /[*?]/.test(path)
        ? `@${path} attaches nothing, because patterns are not expanded: name each file, or its folder`
        : `@${path} attaches nothing: there is no file ${path}`,
    ),
  ]
}
