import { describe } from 'vitest'
import { allButEditingSource, allButReadingEnv, byDefault } from '../../support/permission/judged-lines.ts'

describe('unknown programs', () => {
  byDefault.asks('may do more than ask for a version', [
    'dotnet --version',
    'mvn -v',
    'gradle --version',
    './gradlew -v',
  ])

  allButReadingEnv.denies('may show the file', ['something -m .env'])

  allButEditingSource.denies('names an output file or folder', [
    'rollup -c -o src/x.js',
    'vite build --outDir src',
    'typedoc --out=src/docs',
    'protoc --go_out=src a.proto',
    'npx webpack --output-path src',
  ])

  allButEditingSource.allows('names an output elsewhere', [
    'vite build --outDir dist src',
    'rollup -o dist/src.js',
    'zgrep -o src a.gz',
    'ag -o src lib',
  ])
})
