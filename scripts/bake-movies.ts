/**
 * Films the drawn movies into `web/public/movies/`: `node scripts/bake-movies.ts [slug]`.
 *
 * Each frame is a drawing of `art/movie-*.ts`, rasterised and passed to ffmpeg (Debian's package), which writes
 * VP9 with Opus and H.264 with AAC. The films are kept in git, so the site runs without ffmpeg; run this again when a
 * drawing changes. The captions beside them are written by hand.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { type Film, films } from '#art/movies.ts'
import { MOVIE } from '#server/demo/content/media-sizes.ts'

const FRAMES_A_SECOND = 24
const folder = fileURLToPath(new URL('../web/public/movies/', import.meta.url))
const { width, height } = MOVIE

const FORMATS = {
  webm: '-c:v libvpx-vp9 -crf 53 -b:v 0 -row-mt 1 -cpu-used 2 -g 96 -c:a libopus -b:a 40k',
  mp4: '-c:v libx264 -crf 35 -preset slow -tune animation -profile:v high -g 96 -c:a aac -b:a 56k -movflags +faststart',
}

await mkdir(folder, { recursive: true })
for (const film of films) if (process.argv[2] === undefined || process.argv[2] === film.slug) await shoot(film)

async function shoot(film: Film): Promise<void> {
  const sound = join(tmpdir(), `${film.slug}.wav`)
  await writeFile(sound, film.sound().wav())
  const outputs = Object.entries(FORMATS).flatMap(([ending, options]) => [
    ...options.split(' '),
    '-pix_fmt',
    'yuv420p',
    '-shortest',
    `${folder}${film.slug}.${ending}`,
  ])
  const input = `-f rawvideo -pix_fmt rgb24 -s ${width}x${height} -r ${FRAMES_A_SECOND} -i -`.split(' ')
  const ffmpeg = spawn('ffmpeg', ['-y', '-loglevel', 'error', ...input, '-i', sound, ...outputs], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const ended = once(ffmpeg, 'exit')
  const frames = film.seconds * FRAMES_A_SECOND
  for (let i = 0; i < frames; i++) {
    if (!ffmpeg.stdin.write(await pixels(film.frame(i / frames)))) await once(ffmpeg.stdin, 'drain')
  }
  ffmpeg.stdin.end()
  const [code] = await ended
  await rm(sound)
  if (code !== 0) throw new Error(`ffmpeg left with ${code}`)
  for (const ending of Object.keys(FORMATS)) {
    console.log(`${film.slug}.${ending}: ${(await stat(`${folder}${film.slug}.${ending}`)).size} bytes`)
  }
}

/** A frame is 400×225 units. */
function pixels(text: string): Promise<Buffer> {
  return sharp(Buffer.from(text), { density: (72 * width) / 400 })
    .resize(width, height, { fit: 'fill' })
    .flatten({ background: '#0A0C13' })
    .raw()
    .toBuffer()
}
