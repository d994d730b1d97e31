import assert from 'node:assert/strict'
import { connect, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { connectGame } from '#bridge/game/connect.ts'
import { makeTemporaryFolder } from './clean-up.ts'
import { openEmbeddedGame, type PlayEvent, playGame } from './embedded-game.ts'

test('simulated players continue after a lost connection to the game’s database', async () => {
  const game = await openEmbeddedGame(makeTemporaryFolder())
  after(game.close)
  const { port, pathname } = new URL(game.urls.shop)
  const sockets = new Set<Socket>()
  const proxy = createServer((socket) => {
    sockets.add(socket)
    const upstream = connect(Number(port), '127.0.0.1')
    socket.pipe(upstream).pipe(socket)
    socket.on('close', () => upstream.destroy())
    for (const end of [socket, upstream]) end.on('error', () => {})
  }).listen(0, '127.0.0.1')
  after(() => proxy.close())
  await new Promise((resolve) => proxy.once('listening', resolve))
  const address = proxy.address()
  assert.ok(typeof address === 'object' && address !== null)

  const { promise: firstEvent, resolve: receiveEvent } = Promise.withResolvers<PlayEvent>()
  const play = await playGame(`postgres://game@127.0.0.1:${address.port}${pathname}`, receiveEvent)
  after(play.stop)
  for (const socket of sockets) socket.destroy()
  const user = await connectGame('postgres', game.urls.user)
  await user.run(
    "insert into UserInfo (UserID, UserName, UserPass, CreateDate) values ('bago', 'bago', 'none', localtimestamp)",
  )
  await user.close()
  const unexpectedEnd = play.completion.then(() => assert.fail('The simulated players stopped.'))
  assert.deepEqual(await Promise.race([firstEvent, unexpectedEnd]), { kind: 'joined', player: 'bago' })
})
