// Reads a reply's events and parses their JSON, with nothing but Node: the least that any client does.
const { request } = process.getBuiltinModule('node:http')

const outgoing = request(process.argv[2], { method: 'POST' }, (response) => {
  let rest = ''
  let read = 0
  response.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) if (line.startsWith('data: {')) read += JSON.parse(line.slice(6)).choices.length
  })
  response.on('end', () => {
    if (read === 0) throw new Error('no event was read')
  })
})
outgoing.end()
