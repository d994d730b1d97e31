import sharp from 'sharp'
const [out, h, ...names] = process.argv.slice(2)
const H = Number(h)
let x = 0; const parts = []
for (const n of names) {
  const img = sharp(`/tmp/doors-shots/${n}.png`); const m = await img.metadata()
  const hh = Math.min(m.height, H)
  parts.push({ input: await img.extract({ left:0, top:0, width:m.width, height:hh }).toBuffer(), left:x, top:0 }); x += m.width + 10
}
await sharp({ create:{ width:x, height:H, channels:3, background:'#777' } }).composite(parts).png().toFile(out)
