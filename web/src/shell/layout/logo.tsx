/**
 * The logo: a W drawn as a route, with a station in its middle. public/logo.svg and the logo of the
 * login page have the same shape.
 */
export const Logo = ({ size = 28 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden focusable="false">
    <rect width="32" height="32" rx="7" fill="var(--primary-solid)" />
    <path
      d="M6.5 9.5 11 23l5-9.5L21 23l4.5-13.5"
      fill="none"
      stroke="#fff"
      strokeWidth="2.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
    <circle cx="16" cy="9" r="2.4" fill="#fff" />
  </svg>
);
