import { describe } from 'vitest'
import { allButReadingEnv, byDefault } from '../../support/permission/judged-lines.ts'

describe('unknown programs', () => {
  byDefault.asks('may do more than ask for a version', [
    'dotnet --version',
    'mvn -v',
    'gradle --version',
    './gradlew -v',
  ])

  allButReadingEnv.denies('may show the file', ['something -m .env'])
})
