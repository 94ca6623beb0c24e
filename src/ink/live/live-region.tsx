import { Box } from 'ink'
import { useScene } from '../paint/scene.ts'
import { Activity } from './activity.tsx'
import { InputArea } from './input-area.tsx'
import { KeyList } from './key-list.tsx'
import { StatusLine } from './status-line.tsx'
import { TodoList } from './todo-list.tsx'
import { TranscriptTail } from './transcript-tail.tsx'
import { WaitingList } from './waiting-list.tsx'

/** Shows what is below the finished rows. */
export function LiveRegion() {
  const { screen } = useScene()
  // Ink draws this as a blank row, which separates the shell's next output.
  if (screen.isOver || screen.isAway) return undefined
  return (
    <Box flexDirection="column">
      <TranscriptTail />
      <Activity />
      <TodoList />
      <WaitingList />
      <KeyList />
      <InputArea />
      <StatusLine />
    </Box>
  )
}
