import { describe } from 'vitest'
import {
  allButEditingSource,
  allButReadingEnv,
  anything,
  envDenied,
  refusedDespite,
} from '../../../support/judged-lines.ts'

describe('find', () => {
  envDenied.allows('shows nothing of the file', ['find . -name .env', 'find . -name "*.ts" -not -name .env'])

  allButReadingEnv.denies('may show the file', ['find -files0-from .env', 'find . -name .env -exec cat {} +'])

  refusedDespite('does more than its first words say', [['find:*', 'find . -exec x {} +']])

  allButEditingSource.denies('edits the folder', ['find src -delete'])

  allButEditingSource.refuses('may edit the folder', ['find . -name a.ts -delete'])

  allButEditingSource.allows('only reads the folder', ['find src -name a.ts'])

  anything.asks('writes to a path that decides what runs later', ['find .git/hooks -delete'])

  anything.allows('writes to no such path', ['find . -name "*.o" -delete'])
})
