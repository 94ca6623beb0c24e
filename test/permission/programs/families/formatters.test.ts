import { describe } from 'vitest'
import { allButEditingSource } from '../../../support/permission/judged-lines.ts'

describe('formatters', () => {
  allButEditingSource.denies('edits the folder', [
    'gofmt -w src/a.go',
    'black src',
    'clang-format -i src/a.c',
    'clang-tidy --fix src/a.c',
    'autoflake -ir src',
    'rubocop -A src',
    'stylua src',
    'deno fmt src',
  ])

  allButEditingSource.asks('changes what it finds, which may be in the folder', [
    'prettier --write .',
    'prettier --write "**/*.ts"',
    'npx prettier --write .',
    'eslint --fix .',
    'biome check --write',
    'biome check --apply-unsafe .',
    'gofmt -w .',
    'gofumpt -w .',
    'black .',
    'ruff format',
    'ruff check --fix',
    'shfmt -w .',
    'stylelint --fix "**/*.css"',
    'markdownlint --fix .',
    'golangci-lint run --fix',
    'autopep8 -ir .',
    'rubocop --autocorrect',
    'ktlint -F',
    'ast-grep -p a -r b -U',
    'dprint fmt',
    'deno fmt',
    'dart format .',
    'dotnet format',
    'mix format',
    'php-cs-fixer fix .',
    'buf format -w',
  ])

  allButEditingSource.allows('changes other folders, or nothing', [
    'prettier --write lib',
    'prettier --write "lib/**/*.ts"',
    'prettier --check .',
    'prettier --check src/a.ts',
    'eslint .',
    'black lib',
    'black --check .',
    'ruff check',
    'ruff format --diff',
    'shfmt -i 2 -d src',
    'golangci-lint run',
    'rubocop',
    'ast-grep -p a',
    'deno fmt --check',
    'dart format --output=none .',
    'dotnet format --verify-no-changes',
    'mix format --check-formatted',
    'dprint check',
    'buf format',
  ])
})
