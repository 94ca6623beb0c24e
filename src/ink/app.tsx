import { Text, useStdout } from 'ink'
import { useLayoutEffect } from 'react'

export interface AppProps {
  /** The live rows as bytes for the terminal. */
  readonly rows: readonly string[]
  /** Given how to write text above the live rows. */
  readonly onWriter: (write: (text: string) => void) => void
}

/** The live rows. What is finished is written above them and is nothing of Ink's any more. */
export function App({ rows, onWriter }: AppProps) {
  const { write } = useStdout()
  useLayoutEffect(() => onWriter(write), [onWriter, write])
  return <Text>{rows.join('\n')}</Text>
}
