import { useFormat } from '#base/format.ts';

/** A time as people write it; its seconds and zone are in the tooltip. */
export const Moment = ({ at }: { at: string }) => {
  const format = useFormat();
  return (
    <time className="tabular" dateTime={at} title={format.moment(at)}>
      {format.dateTime(at)}
    </time>
  );
};
