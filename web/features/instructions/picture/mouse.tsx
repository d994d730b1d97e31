type MouseProps = { left: string; right: string; wheel?: string }

/** A mouse seen from above, 100×148, its two buttons and wheel in the colours given. */
export function MouseBody({ left, right, wheel = '#3a435c' }: MouseProps) {
  return (
    <>
      <path d="M50 2Q96 2 96 54V92q0 54-46 54T4 92V54Q4 2 50 2Z" fill="#11141f" stroke="#6b7590" strokeWidth="2" />
      <path d="M48 4v54H6v-4Q6 6 48 4Z" fill={left} />
      <path d="M52 4v54h42v-4Q94 6 52 4Z" fill={right} />
      <rect x="43" y="20" width="14" height="30" rx="7" fill={wheel} stroke="#0a0c13" strokeWidth="3" />
      <path d="M47 30h6M47 35h6M47 40h6" stroke="#0a0c13" strokeWidth="2" />
      <path d="M40 112h20l-4-8H44ZM44 116h12v10H44Z" fill="#3a435c" />
    </>
  )
}
