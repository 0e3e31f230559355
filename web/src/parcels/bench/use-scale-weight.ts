import { useEffect, useRef } from 'react';
import { useScale } from './scale.ts';

/**
 * Identifies the stable weight that was used last. Without it, a parcel that stays on the scale
 * would also be weighed for the next order.
 */
let taken = 0;

/**
 * Calls `onWeight` once with each stable weight. Returns true while a scale is connected; the user
 * types no weight then.
 */
export const useScaleWeight = (onWeight: (grams: number) => void): boolean => {
  const isOn = useScale(({ state }) => state === 'on');
  const no = useScale(({ weight }) => weight.no);
  const take = useRef(onWeight);
  useEffect(() => {
    take.current = onWeight;
  });
  useEffect(() => {
    if (no === 0) taken = 0;
    if (no <= taken) return;
    taken = no;
    take.current(useScale.getState().weight.grams);
  }, [no]);
  return isOn;
};
