import { useFormat } from '#base/format.ts';

/** A time in the usual format. A tooltip shows its seconds and time zone. */
export const Moment = ({ at }: { at: string }) => {
  const format = useFormat();
  return (
    <time className="tabular" dateTime={at} title={format.moment(at)}>
      {format.dateTime(at)}
    </time>
  );
};
