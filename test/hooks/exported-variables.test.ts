import { describe, expect, it } from 'vitest'
import { readExports } from '../../src/hooks/exported-variables.ts'

const known = { HOME: '/home/ann', PATH: '/usr/bin:/bin', EMPTY: '' }

describe('the variables that a script sets', () => {
  it.each([
    ['export A=1', { A: '1' }],
    ['A=1\nB=2\n', { A: '1', B: '2' }],
    ['  export A=1 B=2 # both\n\n# nothing\nexport C=', { A: '1', B: '2', C: '' }],
    ['SSH_AGENT_PID=12; export SSH_AGENT_PID;\n', { SSH_AGENT_PID: '12' }],
    ['declare -x A="a b"\ndeclare -rx B\n', { A: 'a b' }],
    [`export A='$HOME "x"' B="it's" C=a\\ b`, { A: '$HOME "x"', B: "it's", C: 'a b' }],
    [`export PATH="$HOME/bin:\${PATH}"`, { PATH: '/home/ann/bin:/usr/bin:/bin' }],
    [
      'PATH=~/bin:$PATH:~\nB=a~/b\nC="~"',
      { PATH: '/home/ann/bin:/usr/bin:/bin:/home/ann', B: 'a~/b', C: '~' },
    ],
    [`A=1\nB=$A$A\${A}\nC=$NONE-`, { A: '1', B: '111', C: '-' }],
    ['A="two\nlines"\nB="cost \\$5 \\`now\\` \\"x\\" \\n"', { A: 'two\nlines', B: 'cost $5 `now` "x" \\n' }],
    ['A=a=b#c:{x,y}*?', { A: 'a=b#c:{x,y}*?' }],
  ])('%j are %j', (script, variables) => {
    expect(readExports(script, known)).toEqual({ variables, unread: [] })
  })

  it.each([
    ['export A=$(id)\nexport B=1', { B: '1' }, [1]],
    [`A=1\nB=\`id\`\nC="x $(id)"\nD=\${A:-x}`, { A: '1' }, [2, 3, 4]],
    ['source ~/.nvm/nvm.sh\nA=1 id\nA=1 && id\nA=1 > x\nA=1 | id', {}, [1, 2, 3, 4, 5]],
    ['unset PATH\nexport -n A=1\nA+=1\nA[0]=1\n9A=1', {}, [1, 2, 3, 4, 5]],
    ["A=$'x'\nB=1", { B: '1' }, [1]],
  ])('of %j are only %j', (script, variables, unread) => {
    expect(readExports(script, known)).toEqual({ variables, unread })
  })

  it.each(['say "hello\nLD_PRELOAD=x.so\n"\nA=1', "A='x\nB=1", 'cat <<END\nA=1\nEND', 'say hello \\\nA=1'])(
    'end where text of other commands may begin: %j',
    (script) => {
      expect(readExports(script, known)).toEqual({ variables: {}, unread: [1] })
    },
  )

  it('hold no value that no program can have', () => {
    const doubled = Array.from({ length: 40 }, () => 'A=$A$A').join('\n')
    const { variables, unread } = readExports(`A=0123456789\n${doubled}\nB=a\0b`, known)
    expect(variables['A']?.length).toBe(81_920)
    expect(variables['B']).toBeUndefined()
    expect(unread[0]).toBe(15)
  })
})
