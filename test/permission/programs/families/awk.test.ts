import { describe, expect, it } from 'vitest'
import { codeOf } from '../../../../src/permission/programs/families/awk.ts'
import {
  allButEditingSource,
  allButReadingEnv,
  allowedBy,
  anything,
  byDefault,
  envDenied,
  refusedDespite,
} from '../../../support/permission/judged-lines.ts'

describe('awk', () => {
  refusedDespite('runs a program from a file', [
    ['awk:*', 'awk -f x.awk a.txt'],
    ['awk:*', 'awk -i x a.txt'],
    ['gawk:*', 'gawk --exec x'],
    ['gawk:*', 'gawk --load=x 1 a.txt'],
  ])

  allowedBy([['awk:*', 'awk -F: -v n=f 1 a.txt']])

  envDenied.allows('shows nothing of the file', ["awk '/.env/' f"])

  allButReadingEnv.denies('may show the file', [
    'awk 1 .env',
    'awk -f .env',
    `awk 'BEGIN { while ((getline line < ".env") > 0) print line }'`,
  ])

  byDefault.allows('only compares and prints', [
    "awk '$3 > 100' f",
    "awk 'length > 80 {print}' f",
    "awk '$1 >= 2 || $2 > 3 {n++} END {print n}' f",
    `awk '{print $1 "|" $2}' a`,
    `awk 'BEGIN{FS="|"} {print $2}' a`,
    `awk '{print "->", $1}' a`,
    "awk '/system/ {print}' a",
    `awk '/a[0-9]+\\/b/ && !/getline/ {print "x > y"}' a`,
    "awk '{print $1; if ($2 > 3) n++}' a",
    "awk '/a/ {print}\n$3 > 100 {n++}' a",
    `awk 'BEGIN {FS=","}\n{s += $1}\nEND {print s}' a`,
    `awk '{print $1 "/" $2}' a`,
    "awk '{print $1 / $2}' a",
    `awk '{print "\\"|\\""}' a`,
    "awk '$1 ~ /^>/ {print}' a",
  ])

  byDefault.asks('writes, runs, or reads elsewhere', [
    "awk '{print}' -F /etc/passwd",
    "awk '{print}' f -v /etc/passwd",
    `awk '{print > "x"}' f`,
    `awk '{print $1 >> "x"}' f`,
    `awk '{printf "a" > "x"}' f`,
    `awk '1 > 0 {print > "x"}' f`,
    `awk '1 > 0 {print | "sh"}' f`,
    `awk '{print $1 "|" $2 | "sh"}' f`,
    `awk '{print "a"|"b"|"sh"}' f`,
    `awk '{print "x"|""|"sh"}' f`,
    `awk '{"sh" | getline}' f`,
    `awk '{"sh" |& getline}' f`,
    `awk '{getline < "x"}' f`,
    `awk 'BEGIN{system("x")}' f`,
    `awk 'BEGIN{system ("x")}' f`,
    "awk '/system/ {system($0)}' f",
    `awk '@include "x"' f`,
    `awk '@load "x"' f`,
    `awk 'BEGIN{f="system"; @f("x")}' f`,
    "awk '/>/ {print > $1}' f",
    "awk '{print $1; print > $2}' f",
    "awk '{print $1\nprint > $2}' f",
    "awk '{print $1,\n$2 > $3}' f",
    "awk '{print $1 \\\n> $2}' f",
    `awk '/"/ {print "x" > "f"}' f`,
    `awk '/"/{print"x">"f" /"/}' f`,
    `awk '/"/{print "x" > "f"; y="/"}' f`,
    `awk '{x=/;/;print 1>"f";y=/b/}' f`,
    "awk '{x=/;/;print 1>f;y=/b/}' f",
    "awk '{x=1 /2;/1;print 1>f;y=1 /2}' f",
    "awk -v y=f '/[/];/{print 1>y}/b/' f",
    "awk -v y=f '/[^]/];/{print 1>y}/b/' f",
    "awk -v y=f '/[[:a/];/{print 1>y}/b/' f",
    `awk '{print $1 ~ /a}/ > "f"}' f`,
    `awk '{print $1 /a}/ > "f"}' f`,
    `awk '# "\n{print "x" > "f"} # "' f`,
    `awk '{x="a\\\n"; print 1 > "f"}' f`,
    `awk '{print ENVIRON["A"]}' f`,
    `awk '{print PROCINFO["pid"]}' f`,
    `awk 'BEGIN{ARGV[1]="/etc/passwd"}1' f`,
    `awk -f x '{print "|"}' f`,
    "awk '$3 > 100' /etc/passwd",
    "awk '/system/ {print}' /etc/passwd",
  ])

  allButEditingSource.refuses('may edit the folder', [`awk '{print > "src/" $1}' f`, "awk '{print > $1}' f"])

  allButEditingSource.denies('edits the folder', ["gawk --inc=inplace '{print}' src/a.ts"])

  allButEditingSource.allows('only reads the folder', ["awk '$3 > 5 {print $1}' src/a.ts"])

  anything.asks('writes to a path that decides what runs later', [
    `awk '{print > ".bashrc"}' f`,
    `awk '{printf "%s", $1 >> ".git/config"}' f`,
    'gawk -i inplace 1 .bashrc',
  ])

  anything.allows('writes to no such path', [`awk '/x/ {print ".bashrc"}' f`])
})

describe('the code of an awk program', () => {
  it.each([
    ['{print "a > b"}', '{print 0}'],
    ['{print "\\"|\\""}', '{print 0}'],
    ['/a\\/b/ && !/c/ {n++}', '0 && !0 {n++}'],
    ['$1 ~ /[0-9>]/', undefined],
    ['$1 ~ /[0-9]+/', '$1 ~ 0'],
    ['{gsub(/a/, "b")}', '{gsub(0, 0)}'],
  ])('%s has %j in place of its strings and patterns', (program, code) => {
    expect(codeOf(program)).toBe(code)
  })

  it.each(['{print $1 / $2}', '{print "a}', '{print $1 # a\n}', '{x = a /b/ c}', '/a\nb/'])(
    '%j: is not certain',
    (program) => {
      expect(codeOf(program)).toBeUndefined()
    },
  )
})
